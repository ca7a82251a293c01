import { useEffect, useState } from 'react'

export function useSeconds(isTicking: boolean): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!isTicking) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [isTicking])
  return now
}

/** How long a copied text is ticked off (product spec, section 9). */
const copiedMs = 2000

export function useCopied(): [boolean, (isCopied: boolean) => void] {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), copiedMs)
    return () => clearTimeout(timer)
  }, [isCopied])
  return [isCopied, setCopied]
}
