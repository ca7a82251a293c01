import { loadJq } from 'jq-wasm/inline'

/** jq itself, as WebAssembly inside this module: no file beside it and no network. */
export const jq = await loadJq()
