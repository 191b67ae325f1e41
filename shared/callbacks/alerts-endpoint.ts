const suffix = '#alerts';

/**
 * The id under which the address of a partner's alerts is an endpoint like that of its callbacks: with settings, a
 * circuit and callbacks of its own. No partnerId contains `#`.
 */
export function alertsEndpointOf(partnerId: string): string {
  return `${partnerId}${suffix}`;
}

/** The pace of alerts, which incoming webhooks of chats take. A bulk of changes must not make them refuse the rest. */
export const alertsPerSecond = 1;

/** The partner of an endpoint, and whether alerts are posted to it, and not callbacks. */
export function ownerOf(endpointId: string): { partnerId: string; isAlerts: boolean } {
  const isAlerts = endpointId.endsWith(suffix);
  return { partnerId: isAlerts ? endpointId.slice(0, -suffix.length) : endpointId, isAlerts };
}

/** How log lines name an endpoint: searches for the partner find its alerts too. */
export function endpointFields(endpointId: string): { partnerId: string; endpoint?: 'alerts' } {
  const { partnerId, isAlerts } = ownerOf(endpointId);
  return isAlerts ? { partnerId, endpoint: 'alerts' } : { partnerId };
}
