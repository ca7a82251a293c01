import { observe } from '@legendapp/state'
import { createLogin } from '../views/login.ts'
import type { Desk } from './desk.ts'
import type { Overlay } from './screen.ts'
import type { Ui } from './ui.ts'

/** Asks for a sign-in over the present screen while there is none, and takes the question away after it. The answer ends that. */
export function watchSignIn(ui: Ui): () => void {
  let login: Overlay | null = null
  let watched: Desk | null = null
  let stopDesk = () => {}
  const look = () => {
    const status = ui.desk.session.state$.status.get()
    const isNeeded = status === 'guest' || status === 'ended'
    // After the change is told to everybody: what stands on the screen now may be about to go.
    ui.io.setTimer(() => {
      if (isNeeded && !login) {
        login = createLogin(ui)
        ui.open(login)
      } else if (!isNeeded && login) {
        ui.close(login)
        login = null
      }
    }, 0)
  }
  const follow = () => {
    if (ui.desk === watched) return
    watched = ui.desk
    login = null
    stopDesk()
    stopDesk = observe(look)
  }
  follow()
  ui.onDesk(follow)
  return () => stopDesk()
}
