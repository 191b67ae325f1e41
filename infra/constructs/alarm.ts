import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type MathExpression,
  type Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { kebabCase } from '../kebab-case.ts';
import type { Service } from '../service.ts';

/** The information that the engineer on call needs first. Every alarm must give it. */
export type AlarmMeaning = {
  /** A sentence: what happened, and who is affected. */
  impact: string;
  /** The first place to look, such as `the log of ProcessSync`. */
  lookAt: string;
  /** The id of the heading in docs/runbook.md. Left out: the alarm's own id in kebab case. */
  runbook?: string;
};

export type AlarmProps = AlarmMeaning & {
  metric: Metric | MathExpression;
  /** The alarm goes off when the value is at least this. It is 1 when left out. */
  threshold?: number;
  /** It is 5 when left out. */
  periodMinutes?: number;
  /** The number of latest periods that must reach the threshold. It is 1 when left out. */
  periods?: number;
  /** The number of these that are enough. It is all when left out. */
  datapoints?: number;
  /** Goes off below the threshold and without data. Left out: at or above it, and never without data. */
  below?: boolean;
  /** There is always data while all is well, so the alarm goes off without any. Implied by `below`. */
  expectsData?: boolean;
  /** The alarm can wait until the next working day: it notifies the topic of notices, and only when it goes off. */
  notice?: boolean;
  /** Notifies nobody: deployments read its state. */
  silent?: boolean;
};

/** An alarm that notifies the alarm topic when it goes off and when it is over. */
export function addAlarm(service: Service, id: string, props: AlarmProps): Alarm {
  const { threshold = 1, periodMinutes = 5, periods = 1, datapoints } = props;
  const created = new Alarm(service.stack, id, {
    alarmName: `${service.config.namePrefix}-${id}`,
    alarmDescription: describeAlarm(id, props),
    metric: props.metric.with({ period: Duration.minutes(periodMinutes) }),
    threshold,
    evaluationPeriods: periods,
    ...(datapoints === undefined ? {} : { datapointsToAlarm: datapoints }),
    comparisonOperator: props.below
      ? ComparisonOperator.LESS_THAN_THRESHOLD
      : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    treatMissingData:
      props.below || props.expectsData ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
  });
  if (props.notice) created.addAlarmAction(new SnsAction(service.alarmTopics.notices));
  else if (!props.silent) {
    const notify = new SnsAction(service.alarmTopics.alarms);
    created.addAlarmAction(notify);
    created.addOkAction(notify);
  }
  return created;
}

function describeAlarm(id: string, { impact, lookAt, runbook = kebabCase(id) }: AlarmMeaning): string {
  return `${impact} Look at ${lookAt}. Runbook: docs/runbook.md#${runbook}`;
}
