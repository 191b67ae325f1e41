import { Duration } from 'aws-cdk-lib';
import { GraphWidget, type IMetric, type IWidget, TextWidget } from 'aws-cdk-lib/aws-cloudwatch';

/** One part of the dashboard: a headline and its graphs, three in a row. */
export interface Part {
  readonly headline: string;
  /** The lines of each graph, by its title. The title names the unit, unless the lines count events per minute. */
  readonly graphs: Readonly<Record<string, readonly IMetric[]>>;
}

const graphsInRow = 3;

/** A dashboard is 24 units wide. */
export function widgetsOf({ headline, graphs }: Part): IWidget[][] {
  const rows: IWidget[][] = [[new TextWidget({ markdown: `## ${headline}`, width: 24, height: 1 })]];
  const widgets = Object.entries(graphs).map(graphWidget);
  while (widgets.length > 0) rows.push(widgets.splice(0, graphsInRow));
  return rows;
}

function graphWidget([title, lines]: [string, readonly IMetric[]]): GraphWidget {
  return new GraphWidget({
    title,
    left: [...lines],
    leftYAxis: { min: 0, showUnits: false },
    period: Duration.minutes(1),
    width: 24 / graphsInRow,
    height: 6,
  });
}
