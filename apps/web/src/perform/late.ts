import { fetched } from '../state/lazy-part.ts'

type Pipeline = typeof import('./perform.ts')

/** Fetches what runs actions; called when the page stands, so that the first one runs at once. */
export const loadPipeline = (): Promise<Pipeline> => fetched(() => import('./perform.ts'))

/** `perform.ts` for what is drawn before it is here: each of these waits for it. */
export const perform: Pipeline['perform'] = async (...given) => (await loadPipeline()).perform(...given)
export const undo: Pipeline['undo'] = async () => (await loadPipeline()).undo()
export const signOut: Pipeline['signOut'] = async () => (await loadPipeline()).signOut()
export const copy: Pipeline['copy'] = async (...given) => (await loadPipeline()).copy(...given)
export const notifyError = async (error: Parameters<Pipeline['notifyError']>[0]): Promise<void> =>
  (await loadPipeline()).notifyError(error)
