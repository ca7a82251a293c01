import type { Browser } from './browser.ts'
import { createFakeClock, type FakeClock } from './fake-clock.ts'
import type { SimulatedAgent } from './peers/simulated-agent.ts'
import { openShell, type Shell } from './shells.ts'
import { createWorld, type World } from './world.ts'

/** A world for tests of shells: an administrator with a host, alice with hers, and a clock that the test moves. */
export interface ShellWorld {
  readonly clock: FakeClock
  readonly world: World
  /** The administrator. */
  readonly browser: Browser
  readonly alice: Awaited<ReturnType<World['member']>>
  /** Nobody's, so the administrator's. */
  readonly agent: SimulatedAgent
  readonly ofAlice: SimulatedAgent
  idOf(agent: SimulatedAgent): number
  /** A shell of the administrator on `agent`. */
  open(isOurs?: boolean): Promise<Shell>
}

/** Starts it; nobody is asked for a password once more, as time passes faster here than anybody could prove who he is. */
export async function createShellWorld(): Promise<ShellWorld> {
  const clock = createFakeClock()
  const world = await createWorld({ clock })
  const browser = await world.login()
  const alice = await world.member('alice')
  const agent = await world.agent()
  const ofAlice = await world.agent({ secret: alice.secret })
  const { settings, servers } = world.server.container
  await (settings as unknown as { put(values: object): Promise<void> }).put({ ...settings.get(), step_up: false })
  const idOf = ({ uuid }: SimulatedAgent) => servers.byUuid(uuid)!.id
  return {
    clock,
    world,
    browser,
    alice,
    agent,
    ofAlice,
    idOf,
    open: (isOurs = true) => openShell(world, { browser, serverId: idOf(agent), agent, ours: isOurs }),
  }
}
