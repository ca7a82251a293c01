/** As Nezha agents write them (agent contract 6). */
const words: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EEXIST: 'file exists',
  EISDIR: 'is a directory',
  ENOTDIR: 'not a directory',
  ENOTEMPTY: 'directory not empty',
  ENOSPC: 'no space left on device',
  EDQUOT: 'disk quota exceeded',
  EROFS: 'read-only file system',
  EFBIG: 'file too large',
  ENAMETOOLONG: 'file name too long',
  ELOOP: 'too many levels of symbolic links',
  EXDEV: 'invalid cross-device link',
  EBUSY: 'device or resource busy',
  EMFILE: 'too many open files',
  EIO: 'input/output error',
  EAGAIN: 'resource temporarily unavailable',
  ENXIO: 'no such device or address',
  EINVAL: 'invalid argument',
  ETXTBSY: 'text file busy',
}

export const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '')

export const toWords = (error: unknown): string =>
  words[codeOf(error)] ?? String((error as Error | null)?.message ?? error).replace(/\p{Cc}+/gu, ' ')

/** Texts of tasks 16 to 20, which reveal nothing about the host (agent contract 3.10). */
export const toFixedText = (error: unknown): string => {
  if (error instanceof Refusal) return error.message
  const code = codeOf(error)
  if (code === 'ENOENT') return 'file or directory does not exist'
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied'
  if (code === 'ENORESPONSE') return toWords(error)
  return code === 'ENOTDIR' ? 'path is not a directory' : 'internal agent error'
}

/** The message goes to the server. */
export class Refusal extends Error {}
