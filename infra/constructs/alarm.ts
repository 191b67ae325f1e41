import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, type TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { AlarmRule } from '../config.ts';
import type { Service } from '../service.ts';
import { logicalId } from './logical-id.ts';

/** What somebody woken by an alarm needs to know first. No alarm can be written without it. */
export interface AlarmMeaning {
  /** A sentence: what happened, and whom it hurts. */
  readonly impact: string;
  /** The id of the heading in docs/runbook.md. */
  readonly runbook: string;
}

export interface AlarmProps extends AlarmMeaning {
  readonly metric: (period: Duration) => IMetric;
  readonly rule: AlarmRule;
  readonly missingData: TreatMissingData;
  /** Goes off below the threshold instead of from it on. */
  readonly below?: boolean;
  /** Wakes nobody: its state is read by a machine, and by people who look. */
  readonly silent?: boolean;
}

/** An alarm that reports to the alarm topic, both when it goes off and when it is over. */
export function alarm(service: Service, id: string, props: AlarmProps): Alarm {
  const made = logicalId(
    new Alarm(service.stack, id, {
      alarmName: `${service.config.namePrefix}-${id}`,
      alarmDescription: `${props.impact} Runbook: docs/runbook.md#${props.runbook}`,
      metric: props.metric(Duration.minutes(props.rule.periodMinutes)),
      threshold: props.rule.threshold,
      evaluationPeriods: props.rule.periods,
      ...(props.rule.datapoints === undefined ? {} : { datapointsToAlarm: props.rule.datapoints }),
      comparisonOperator: props.below
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: props.missingData,
    }),
  );
  if (props.silent) return made;
  const tell = new SnsAction(service.alarmTopic);
  made.addAlarmAction(tell);
  made.addOkAction(tell);
  return made;
}
