import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { buildPrograms, type Programs } from '../support/programs.ts'
import { createFleet, type Fleet } from './fleet.ts'
import { type Screen, type ScreenOptions, startScreen } from './screen.ts'

/** What the tests of one file share; ready in their hooks and tests. */
export interface OnFleet {
  programs: Programs
  fleet: Fleet
  /** The one that was started last; it is closed after each test. */
  screen: Screen
  /** The home of every start, so that what was remembered is there. */
  readonly home: string
  /** Starts `qd` and waits until it is live and shows the fleet. */
  start(options?: Partial<ScreenOptions>): Promise<void>
}

/** Sets the tests of a file up with `qd` in front of a fleet with these names. `shows`: what a started screen shows at last. */
export function onFleet(
  names: readonly string[],
  { shows = 'live', ...size }: { shows?: string | RegExp } & Pick<ScreenOptions, 'columns' | 'rows'> = {},
): OnFleet {
  const home = mkdtempSync(join(tmpdir(), 'qd-on-fleet-'))
  const on = {
    home,
    async start(options = {}) {
      on.screen = startScreen({ qd: on.programs.qd, url: on.fleet.world.origin, home, ...size, ...options })
      await on.screen.shows('live')
      await on.screen.shows(shows)
    },
  } as OnFleet
  beforeAll(async () => {
    on.programs = await buildPrograms()
    on.fleet = await createFleet(names)
  })
  afterEach(() => on.screen?.close())
  afterAll(async () => {
    await on.fleet?.close()
    on.programs?.close()
    rmSync(home, { recursive: true, force: true })
  })
  return on
}
