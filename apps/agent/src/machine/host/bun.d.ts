/** What the single-file agent uses of Bun. Source: https://bun.com/docs/runtime/ffi. */
declare module 'bun:ffi' {
  export function dlopen(
    library: string,
    functions: { ioctl: { args: string[]; returns: string } },
  ): { symbols: { ioctl(descriptor: number, request: number, data: Int32Array | Uint16Array): number } }
}

declare const Bun: { file(descriptor: number): { stream(): ReadableStream<Uint8Array> } }
