import { loadJq } from 'jq-wasm/inline'

/** jq as inlined WebAssembly: no file and no network. */
export const jq = await loadJq()
