import { type Observable, observable } from '@legendapp/state'
import { fetched } from '../../base/state/lazy-part.ts'

type Pipeline = typeof import('./perform.ts')

let pipeline: Pipeline | null = null

/** Fetches what runs actions; called when somebody is at the page, so that the first one runs at once. */
export async function loadPipeline(): Promise<Pipeline> {
  pipeline ??= await fetched(() => import('./perform.ts'))
  return pipeline
}

/** True while an action waits for its code: what is typed meanwhile is for what it opens. */
export const loading$: Observable<boolean> = observable(false)

// `perform.ts` for what is drawn before it is here: each of these waits for it.
export const perform: Pipeline['perform'] = async (...given) => {
  if (pipeline) return pipeline.perform(...given)
  loading$.set(true)
  const running = (await loadPipeline()).perform(...given)
  // What it opens without asking the server is open by then.
  setTimeout(() => loading$.set(false))
  return running
}
export const undo: Pipeline['undo'] = async () => (await loadPipeline()).undo()
export const signOut: Pipeline['signOut'] = async () => (await loadPipeline()).signOut()
export const copy: Pipeline['copy'] = async (...given) => (await loadPipeline()).copy(...given)
export const notifyError: (...given: Parameters<Pipeline['notifyError']>) => Promise<void> = async (...given) =>
  (await loadPipeline()).notifyError(...given)

/** What keys do with the list or the row on screen (`page-commands.ts`). */
export const pageCommand = async (name: keyof typeof import('./page-commands.ts')): Promise<void> =>
  (await fetched(() => import('./page-commands.ts')))[name]()
