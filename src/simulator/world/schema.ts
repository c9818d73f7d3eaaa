/** Attribute of a simulated type. */
export interface SimulatedAttribute {
  readonly name: string;
  readonly type: string;
  readonly isIndexed?: true;
}

/** Vertex type. */
export interface SimulatedVertexType {
  readonly name: string;
  readonly attributes: readonly SimulatedAttribute[];
}

/** Edge type with the vertex types that it connects. */
export interface SimulatedEdgeType extends SimulatedVertexType {
  readonly from: string;
  readonly to: string;
  readonly isDirected: boolean;
}

/** Schema of each graph. */
export interface SimulatedSchema {
  readonly vertexTypes: readonly SimulatedVertexType[];
  readonly edgeTypes: readonly SimulatedEdgeType[];
  readonly jobs: readonly string[];
}

const balance = { name: 'balance', type: 'DOUBLE' };
const openedAt = { name: 'opened_at', type: 'DATETIME', isIndexed: true } as const;
const person: SimulatedVertexType = {
  name: 'Person',
  attributes: [
    { name: 'name', type: 'STRING' },
    { name: 'born_on', type: 'DATETIME' },
  ],
};

const edgeTypes: readonly SimulatedEdgeType[] = [
  { name: 'knows', from: 'Person', to: 'Person', isDirected: false, attributes: [] },
  { name: 'owns', from: 'Person', to: 'Account', isDirected: true, attributes: [{ name: 'since', type: 'DATETIME' }] },
  {
    name: 'transfers',
    from: 'Account',
    to: 'Account',
    isDirected: true,
    attributes: [{ name: 'amount', type: 'DOUBLE' }],
  },
];

/** Returns the name of one of the further types that the options ask for. */
export function extraTypeName(at: number): string {
  return `Type${at + 1}`;
}

/** Returns the schema of each graph; a change of the schema drops an attribute with its index, and adds another. */
export function simulatedSchema(isChanged: boolean, extraTypes = 0): SimulatedSchema {
  const changing = isChanged ? { name: 'risk_score', type: 'FLOAT' } : openedAt;
  return {
    vertexTypes: [
      { name: 'Account', attributes: [balance, changing] },
      person,
      ...Array.from({ length: extraTypes }, (_, at) => ({ ...person, name: extraTypeName(at) })),
    ],
    edgeTypes,
    jobs: isChanged ? ['add_risk_score'] : [],
  };
}

/** Returns the names of the types, as the list of graphs has them. */
export function typeNames(
  isChanged: boolean,
  extraTypes = 0,
): {
  readonly vertices: readonly string[];
  readonly edges: readonly string[];
} {
  const { vertexTypes, edgeTypes: connecting } = simulatedSchema(isChanged, extraTypes);
  return { vertices: vertexTypes.map(({ name }) => name), edges: connecting.map(({ name }) => name) };
}
