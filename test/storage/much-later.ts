/** A deadline in an hour: no machine is too slow for it. */
export const muchLater = () => performance.now() + 3_600_000
