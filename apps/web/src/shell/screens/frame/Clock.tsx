import { useEffect, useRef } from 'react'
import { useTexts } from '../../../base/state/texts.ts'

export function Clock({ className }: { className?: string }) {
  const { format, t } = useTexts()
  const text = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const tick = () => {
      if (text.current) text.current.textContent = format.clock(Date.now())
      timer = setTimeout(tick, 1000 - (Date.now() % 1000))
    }
    tick()
    return () => clearTimeout(timer)
  }, [format])
  return <span className={className} ref={text} title={t('ui.frame.clock')} />
}
