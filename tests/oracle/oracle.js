'use strict'

// Runs WeChat's official compilers for the tests.
//
// Reads one JSON request a line from standard input, answers one JSON line each:
//   {"compiler": "wcc" | "glass-easel", "sources": [WXML, ...], "data": {...}}
//   -> [{"tree": [node, ...]} | {"error": message} | {"fatal": message}, ...]
// With "brief": true it is {"text": all text nodes joined} in place of a tree, which may be too deep for JSON.
// An error of what wcc has compiled, at run time, has "compiled" too.
// A node is a string (a text node) or {"tag", "attrs", "children"}. Every source is evaluated with the
// same data. `fatal` marks a crash of the glass-easel compiler, whose WebAssembly instance is then
// unusable: this process ends after the answer, and the caller starts another.

const { spawnSync } = require('child_process')
const fs = require('fs')
const os = require('os')
const path = require('path')
const readline = require('readline')
const vm = require('vm')

// --- wcc, the compiler of the classic framework -------------------------------------------------

const WCC_BINARIES = { linux: 'linux/wcc', darwin: 'mac/wcc', win32: 'windows/wcc.exe' }

function prepareWcc() {
  const root = path.dirname(require.resolve('miniprogram-compiler/package.json'))
  const binary = path.join(root, 'bin', WCC_BINARIES[process.platform])
  fs.chmodSync(binary, 0o755) // npm unpacks it without the executable bit
  return binary
}

function wccNode(node) {
  if (typeof node !== 'object' || node === null) return String(node)
  const tag = node.tag.replace(/^wx-/, '')
  return { tag, attrs: node.attr || {}, children: (node.children || []).map(wccNode) }
}

// All text below these nodes, without recursion.
function textOf(nodes, isText, children) {
  const pieces = []
  const pending = [...nodes].reverse()
  while (pending.length > 0) {
    const node = pending.pop()
    const text = isText(node)
    if (text !== undefined) pieces.push(text)
    else for (const child of [...children(node)].reverse()) pending.push(child)
  }
  return pieces.join('')
}

const wccText = (node) => (typeof node !== 'object' || node === null ? String(node) : undefined)

function evaluateWcc(code, names, data, brief) {
  const quiet = () => undefined
  const context = { console: { log: quiet, warn: quiet, error: quiet, info: quiet } }
  context.window = context
  vm.createContext(context)
  vm.runInContext(code, context)
  return names.map((name) => {
    try {
      const root = vm.runInContext(`$gwx(${JSON.stringify(name)})(${JSON.stringify(data)})`, context)
      if (brief) return { text: textOf(root.children, wccText, (node) => node.children || []) }
      return { tree: root.children.map(wccNode) }
    } catch (error) {
      return { error: String(error), compiled: true }
    }
  })
}

// One process compiles many files, but stops at the first that it refuses. That one is then taken
// out, and the rest compiled again.
function runWcc(binary, folder, sources, data, brief) {
  const results = new Array(sources.length)
  const names = sources.map((_, index) => `c${index}.wxml`)
  sources.forEach((source, index) => fs.writeFileSync(path.join(folder, names[index]), source))
  let pending = sources.map((_, index) => index)
  while (pending.length > 0) {
    const files = pending.map((index) => names[index])
    const run = spawnSync(binary, ['-d', '-cc', '0', ...files, '-gn', '$gwx'], {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 1 << 30,
    })
    let message = run.stderr.trim() || `wcc ended with ${run.signal || run.status}`
    if (run.status === 0 && run.stdout.length > 0) {
      try {
        evaluateWcc(run.stdout, files, data, brief).forEach((result, position) => {
          results[pending[position]] = result
        })
        break
      } catch (error) {
        message = `wcc writes broken code: ${error}` // of which file, halving tells
      }
    }
    const match = /(?:^|\n)(?:\.\/)?c(\d+)\.wxml:/.exec(message)
    const culprit = match ? Number(match[1]) : pending.length === 1 ? pending[0] : undefined
    if (culprit === undefined) {
      const half = pending.length >> 1
      for (const part of [pending.slice(0, half), pending.slice(half)]) {
        const answers = runWcc(binary, folder, part.map((index) => sources[index]), data, brief)
        part.forEach((index, position) => {
          results[index] = answers[position]
        })
      }
      break
    }
    results[culprit] = { error: message.replace(/c\d+\.wxml/g, 'a.wxml') }
    pending = pending.filter((index) => index !== culprit)
  }
  return results
}

// --- glass-easel, the compiler and runtime of the new framework and of Skyline ------------------

const LEVELS = { 1: 'Note', 2: 'Warn', 3: 'Error', 4: 'Fatal' }

function prepareGlassEasel() {
  const { TmplGroup } = require('glass-easel-template-compiler')
  const runtime = require('glass-easel')
  runtime.globalOptions.throwGlobalError = true
  runtime.addGlobalWarningListener(() => false)
  return { TmplGroup, runtime, backend: new runtime.EmptyBackendContext() }
}

function glassEaselNode(runtime, node) {
  if (node instanceof runtime.TextNode) return [node.textContent]
  const children = node.childNodes.flatMap((child) => glassEaselNode(runtime, child))
  if (node instanceof runtime.VirtualNode) return children
  const attrs = {}
  for (const { name, value } of node.attributes || []) attrs[name] = value
  if (node.class) attrs.class = node.class
  return [{ tag: node.is, attrs, children }]
}

function runGlassEasel({ TmplGroup, runtime, backend }, source, data, brief) {
  const group = new TmplGroup()
  const problems = group.addTmpl('', source).map((problem) => {
    const level = LEVELS[problem.level] || problem.level
    return { level, text: `${problem.startLine + 1}:${problem.startColumn + 1}: ${problem.message} (${level})` }
  })
  const refusals = problems.filter(({ level }) => level === 'Error' || level === 'Fatal')
  if (refusals.length > 0) {
    group.free()
    return { error: refusals.map(({ text }) => text).join('; ') }
  }
  const code = group.getTmplGenObjectGroups()
  group.free()
  const templates = new Function(`return ${code}`)()
  const space = new runtime.ComponentSpace()
  const definition = space.defineComponent({
    is: 'page',
    template: { groupList: templates, content: templates[''] },
    data,
  })
  const component = runtime.Component.createWithContext('page', definition.general(), backend)
  const nodes = component.shadowRoot.childNodes
  if (brief) {
    const text = (node) => (node instanceof runtime.TextNode ? node.textContent : undefined)
    return { text: textOf(nodes, text, (node) => node.childNodes) }
  }
  const tree = nodes.flatMap((node) => glassEaselNode(runtime, node))
  return { tree, warnings: problems.map(({ text }) => text) }
}

// --- the loop -----------------------------------------------------------------------------------

const wcc = prepareWcc()
const glassEasel = prepareGlassEasel()
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'wxtext-oracle-'))
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }))

readline.createInterface({ input: process.stdin, crlfDelay: Infinity }).on('line', (line) => {
  const { compiler, sources, data, brief } = JSON.parse(line)
  let crashed = false
  let results
  if (compiler === 'wcc') {
    results = runWcc(wcc, folder, sources, data, brief)
  } else {
    results = []
    for (const source of sources) {
      if (crashed) break
      try {
        results.push(runGlassEasel(glassEasel, source, data, brief))
      } catch (error) {
        results.push({ fatal: String(error) })
        crashed = true
      }
    }
  }
  process.stdout.write(`${JSON.stringify(results)}\n`, () => {
    if (crashed) process.exit(0)
  })
})
