import { observe } from '@legendapp/state'
import type { Overlay } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import type { Workspace } from '../../screen/state/workspace.ts'
import { createLogin } from './login.tsx'
import { createStepUp } from './step-up.tsx'

/**
 * Asks for a sign-in over the present screen while there is none, and for the password while the server wants it once more, and
 * takes the question away after it. Returns the function that ends that.
 */
export function watchSignIn(ui: Ui): () => void {
  const open = new Map<typeof createLogin, Overlay>()
  let watched: Workspace | null = null
  let stopWorkspace = () => {}
  const show = (create: typeof createLogin, isNeeded: boolean) => {
    const shown = open.get(create)
    if (isNeeded && !shown) {
      const overlay = create(ui)
      open.set(create, overlay)
      ui.open(overlay)
    } else if (!isNeeded && shown) {
      open.delete(create)
      ui.close(shown)
    }
  }
  const look = () => {
    const status = ui.workspace.session.state$.status.get()
    const needsProof = ui.workspace.session.state$.needsProof.get()
    // After the change is told to everybody: what stands on the screen now may be about to go.
    ui.io.setTimer(() => {
      show(createStepUp, needsProof)
      show(createLogin, status === 'guest' || status === 'ended')
    }, 0)
  }
  const follow = () => {
    if (ui.workspace === watched) return
    watched = ui.workspace
    open.clear()
    stopWorkspace()
    stopWorkspace = observe(look)
  }
  follow()
  ui.onWorkspace(follow)
  return () => stopWorkspace()
}
