import { startProduct } from '../product.ts'
import { atMost, type Row } from '../row.ts'
import { view } from '../watching.ts'

const MiB = 1024 * 1024
const wait = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000))
/** Seconds until a fleet is at rest, and for which its CPU is counted. */
const settling = 20
const counted = 60

/** Figures of issue 17 of the server with fleets that report each 3 s. */
export async function fleetRows(): Promise<Row[]> {
  const small = await fleet(200, false)
  const large = await fleet(1000, true)
  return [
    atMost({ what: 'server: CPU of a core, 200 agents', limit: 2.97, figure: small.share, unit: '%', digits: 2 }),
    atMost({ what: 'server: memory, 200 agents', limit: 100, figure: small.memory, unit: 'MiB', digits: 0 }),
    atMost({
      what: 'server: CPU of a core, 1,000 agents and a viewer',
      limit: 7.03,
      figure: large.share,
      unit: '%',
      digits: 2,
    }),
    atMost({ what: 'server: memory, 1,000 agents', limit: 160, figure: large.memory, unit: 'MiB', digits: 0 }),
    atMost({ what: 'server: CPU to connect one agent', limit: 3, figure: large.connecting, unit: 'ms', digits: 2 }),
  ]
}

/** CPU in % of a core, memory in MiB, CPU per agent that came in ms. */
async function fleet(count: number, isViewed: boolean): Promise<{ share: number; memory: number; connecting: number }> {
  const product = await startProduct()
  try {
    await wait(3)
    const began = product.usage().cpuSeconds
    await product.agents(count, 3000)
    const connecting = ((product.usage().cpuSeconds - began) / count) * 1000
    const viewer = isViewed ? await view(product, (await product.signIn()).cookie) : null
    await wait(settling)
    const before = product.usage().cpuSeconds
    await wait(counted)
    const { cpuSeconds, residentBytes } = product.usage()
    viewer?.close()
    return { share: ((cpuSeconds - before) / counted) * 100, memory: residentBytes / MiB, connecting }
  } finally {
    await product.close()
  }
}
