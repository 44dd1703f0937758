'use strict'

// Runs what the speed of `check` is compared with, over the files named in the arguments.
//
// Reads one word a line from standard input, answers the seconds that one pass over all files takes:
//   eslint   eslint-plugin-wxml, with all rules that need no options
//   parse    the compiler of glass-easel, which only reads each file

const fs = require('fs')
const path = require('path')
const readline = require('readline')

const { Linter } = require('eslint')
const parser = require('@wxml/parser')
const plugin = require('eslint-plugin-wxml')

const oracle = { paths: [path.join(__dirname, '..', 'oracle')] }
const { TmplGroup } = require(require.resolve('glass-easel-template-compiler', oracle))

const sources = JSON.parse(fs.readFileSync(process.argv[2], 'utf8'))
const linter = new Linter({ configType: 'flat' })

function lint(source, rules) {
  const config = { files: ['**/*.wxml'], plugins: { wxml: plugin }, languageOptions: { parser }, rules }
  return linter.verify(source, [config], { filename: 'a.wxml' })
}

const rules = {}
for (const name of Object.keys(plugin.rules)) {
  try {
    lint('<view/>', { [`wxml/${name}`]: 'error' })
    rules[`wxml/${name}`] = 'error'
  } catch {
    // It needs options.
  }
}

const works = {
  eslint: (source) => lint(source, rules),
  parse: (source) => {
    const group = new TmplGroup()
    group.addTmpl('', source)
    group.free()
  },
}

readline.createInterface({ input: process.stdin }).on('line', (word) => {
  const begin = process.hrtime.bigint()
  sources.forEach(works[word])
  process.stdout.write(`${Number(process.hrtime.bigint() - begin) / 1e9}\n`)
})
