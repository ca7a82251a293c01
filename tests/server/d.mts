import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createWorld } from '../support/world.ts'

const w = await createWorld({ data: '/tmp/dmg' })
await w.close()
const f = '/tmp/dmg/quarterdeck.db'
const b = readFileSync(f)
console.log(b.length, readdirSync('/tmp/dmg'))
b.fill(0x5a, 0, 60000)
writeFileSync(f, b)
await createWorld({ data: '/tmp/dmg' }).catch((e) => console.log(e.message))
const a = readFileSync(f)
console.log(a.length, a.equals(b), readdirSync('/tmp/dmg'))
let i = 0
while (a[i] === b[i]) i++
console.log(i, a.subarray(i, i + 20), b.subarray(i, i + 20))
