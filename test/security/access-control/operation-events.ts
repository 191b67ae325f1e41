/** The event of every operation that changes something in a partner's account. */
export const events: Readonly<Record<string, string>> = {
  CreateKey: 'key.created',
  RotateKey: 'key.rotated',
  RetireKey: 'key.retired',
  DeleteKey: 'key.deleted',
  PutEndpoint: 'endpoint.changed',
  EnableEndpoint: 'endpoint.enabled',
  DisableEndpoint: 'endpoint.disabled',
  RotateEndpointSecret: 'endpoint.changed',
  RetireEndpointSecret: 'endpoint.changed',
  ExamineEndpoint: 'endpoint.examined',
  PutAlerts: 'alerts.changed',
  DeleteAlerts: 'alerts.changed',
  CancelPush: 'send.cancelled',
  CreatePromotion: 'promotion.created',
  UpdatePromotion: 'promotion.updated',
};

/** Why an operation that is no GET has no event of its own. */
export const withoutEvent: Readonly<Record<string, string>> = {
  StartSync: 'its list has one when it ends',
  RegisterCheckIn: 'a check-in has its own record',
  SendMessage: 'messages have their own history; planned ones have send.scheduled',
  SendBulk: 'messages have their own history; planned ones have send.scheduled',
  SendMulti: 'messages have their own history; planned ones have send.scheduled',
  TestCallback: 'it changes nothing',
  TestAlerts: 'it changes nothing',
  ReplayCallbacks: 'GET /callbacks shows it',
};
