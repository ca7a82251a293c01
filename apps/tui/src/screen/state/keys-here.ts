import { type KeyBinding, keyTable } from '@qd/core/actions'
import type { Ui } from './ui.ts'

/** Every key that works on the present screen. */
export function keysHere({ screen, workspace }: Ui): readonly KeyBinding[] {
  return keyTable(screen?.resource ?? null, 'tui', {
    viewer: workspace.session.viewer(),
    files: screen?.files !== undefined,
    obeys: screen?.obeys?.() ?? null,
    ledHere: screen?.ledHere ?? null,
    acts: screen?.chosen !== undefined,
    search: screen?.searches?.() ?? false,
  })
}
