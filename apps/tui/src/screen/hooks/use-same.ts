import { useRef } from 'react'

/** The values of before where these are the same ones in the same order: what is made of them need not be made again. */
export function useSame(values: readonly unknown[]): readonly unknown[] {
  const kept = useRef(values)
  const isSame = values.length === kept.current.length && values.every((value, at) => value === kept.current[at])
  if (!isSame) kept.current = values
  return kept.current
}
