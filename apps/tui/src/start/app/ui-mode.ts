import { readFiles } from '../../base/connect/settings.ts'
import type { Io } from '../../base/io.ts'

/** How the terminal UI is used, apart from what it shows. */
export interface UiMode {
  readonly readOnly: boolean
  /** Off by default, so that the terminal's own selection works (behaviour T-28). */
  readonly mouse: boolean
  /** Lines of text instead of a drawn screen (behaviour T-29). */
  readonly screenReader: boolean
}

/** Flag before environment (`1` or `0`) before the user's file. Errors: `usage` where that is broken. */
export function uiModeOf(io: Io): UiMode {
  const { user } = readFiles(io)
  const wanted = (flag: string, variable: string | undefined, saved: boolean | undefined) =>
    io.args.includes(flag) || (variable ? variable !== '0' : (saved ?? false))
  return {
    readOnly: io.args.includes('--read-only'),
    mouse: wanted('--mouse', io.env.QD_MOUSE, user.mouse),
    screenReader: wanted('--screen-reader', io.env.QD_SCREEN_READER, user.screen_reader),
  }
}
