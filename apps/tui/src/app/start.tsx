import { AppError } from '@qd/core/errors'
import type { StartTerminalUi } from '../terminal-ui.ts'

/** Until the screens are here the terminal UI says that it is not in this version. */
export const startTerminalUi: StartTerminalUi = async () => {
  throw new AppError('unsupported')
}
