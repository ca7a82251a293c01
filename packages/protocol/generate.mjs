// Regenerates src/agent.gen.ts from proto/agent.proto, offline, with buf and the local ts-proto plugin.
// A folder as argument receives the file instead of src.
import { execFileSync } from 'node:child_process'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const bin = (name) => fileURLToPath(new URL(`../../node_modules/.bin/${name}`, import.meta.url))

const out = process.argv[2] ?? join(here, 'src')

const options = [
  'outputServices=none',
  'outputJsonMethods=false',
  'useExactTypes=false',
  'snakeToCamel=',
  'env=browser',
  // uint64 as bigint: ids above 2^53 must be echoed exactly and hostile counters up to 2^64-1 must not throw.
  'forceLong=bigint',
  'esModuleInterop=true',
]
const template = {
  version: 'v2',
  inputs: [{ directory: 'proto' }],
  plugins: [{ local: bin('protoc-gen-ts_proto'), out, opt: options }],
}

execFileSync(bin('buf'), ['generate', '--template', JSON.stringify(template)], { cwd: here, stdio: 'inherit' })
renameSync(join(out, 'agent.ts'), join(out, 'agent.gen.ts'))
