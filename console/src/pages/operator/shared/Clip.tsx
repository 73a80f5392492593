/** A name on one line. What has no room is cut, and shows when one points at it. */
export function Clip({ children, isCode = false }: { children: string; isCode?: boolean }) {
  return (
    <bdi className="clip" title={children} dir={isCode ? "ltr" : "auto"}>
      {children}
    </bdi>
  );
}
