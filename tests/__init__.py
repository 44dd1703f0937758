"""The tests of wxtext, and the tools they judge with."""
