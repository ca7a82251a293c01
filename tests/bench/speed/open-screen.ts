import { join } from 'node:path'
import { type Screen, startScreen } from '../../tui/screen.ts'
import { type Product, password, root } from '../product.ts'

/** Another built program is measured in the place of this tree's, so that two can be compared in one run. */
const qd = process.env.QD_BENCH_PROGRAM ?? join(root, 'apps/tui/dist/qd.cjs')
const env = { QD_USER: 'admin', QD_PASSWORD: password, COLORTERM: 'truecolor', COLORFGBG: '15;0' }

/** The terminal UI of an administrator in a pseudo-terminal of that size; without a `home` it remembers nothing. */
export const openScreen = (
  { origin }: Product,
  { columns, rows, home }: { columns: number; rows: number; home?: string },
): Screen => startScreen({ qd, url: origin, env, columns, rows, signedIn: false, ...(home !== undefined && { home }) })
