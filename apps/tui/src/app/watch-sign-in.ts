import { observe } from '@legendapp/state'
import { createLogin } from '../views/login.ts'
import { createStepUp } from '../views/step-up.ts'
import type { Desk } from './desk.ts'
import type { Overlay } from './screen.ts'
import type { Ui } from './ui.ts'

/**
 * Asks for a sign-in over the present screen while there is none, and for the password while the server wants it once more, and
 * takes the question away after it. The answer ends that.
 */
export function watchSignIn(ui: Ui): () => void {
  const open = new Map<typeof createLogin, Overlay>()
  let watched: Desk | null = null
  let stopDesk = () => {}
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
    const status = ui.desk.session.state$.status.get()
    const needsProof = ui.desk.session.state$.needsProof.get()
    // After the change is told to everybody: what stands on the screen now may be about to go.
    ui.io.setTimer(() => {
      show(createStepUp, needsProof)
      show(createLogin, status === 'guest' || status === 'ended')
    }, 0)
  }
  const follow = () => {
    if (ui.desk === watched) return
    watched = ui.desk
    open.clear()
    stopDesk()
    stopDesk = observe(look)
  }
  follow()
  ui.onDesk(follow)
  return () => stopDesk()
}
