import { type Observable, observable } from '@legendapp/state'
import { fetched } from '../../base/state/lazy-part.ts'

type Pipeline = typeof import('./perform.ts')

let pipeline: Pipeline | null = null

/** Loads the action pipeline; called on the first interaction so that the first action runs at once. */
export async function loadPipeline(): Promise<Pipeline> {
  pipeline ??= await fetched(() => import('./perform.ts'))
  return pipeline
}

/** True while an action waits for its code. What is typed meanwhile is meant for what the action opens. */
export const loading$: Observable<boolean> = observable(false)

// Stand-ins for `perform.ts`, which load it first.
export const perform: Pipeline['perform'] = async (...given) => {
  if (pipeline) return pipeline.perform(...given)
  loading$.set(true)
  const running = (await loadPipeline()).perform(...given)
  // Whatever opens without a server call is open by then.
  setTimeout(() => loading$.set(false))
  return running
}
export const undo: Pipeline['undo'] = async () => (await loadPipeline()).undo()
export const signOut: Pipeline['signOut'] = async () => (await loadPipeline()).signOut()
export const copyList = async (): Promise<void> => (await loadPipeline()).copyList()
export const openRow = async (): Promise<void> => (await loadPipeline()).openRow()
export const copy: Pipeline['copy'] = async (...given) => (await loadPipeline()).copy(...given)
export const notifyError: (...given: Parameters<Pipeline['notifyError']>) => Promise<void> = async (...given) =>
  (await loadPipeline()).notifyError(...given)
