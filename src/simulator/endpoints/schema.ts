import type { Endpoint } from '../call.ts';
import { gsqlError, json, type Reply } from '../replies.ts';
import {
  type SimulatedAttribute,
  type SimulatedEdgeType,
  type SimulatedVertexType,
  simulatedSchema,
} from '../world/schema.ts';
import type { World } from '../world/world.ts';

/** `GET /gsql/v1/schema?graph=…`: vertex and edge types of a graph with their attributes. */
export const graphSchema: Endpoint = ({ world, query }) => {
  const graph = query.get('graph') ?? '';
  const { vertexTypes, edgeTypes } = simulatedSchema(world.isSchemaChanged, world.settings.extraTypes);
  const results = {
    GraphName: graph,
    VertexTypes: vertexTypes.map(vertexTypeRecord),
    EdgeTypes: edgeTypes.map(edgeTypeRecord),
  };
  return refusal(world, graph) ?? json({ error: false, message: '', results });
};

/** `GET /gsql/v1/schema/indexes[?graph=…]`: the indexes by vertex type; none for global types. */
export const schemaIndexes: Endpoint = ({ world, query }) => {
  const graph = query.get('graph');
  if (graph === null) return json({ error: false, message: '', results: [] });
  const { vertexTypes } = simulatedSchema(world.isSchemaChanged, world.settings.extraTypes);
  const results = vertexTypes.flatMap(({ name, attributes }) => {
    const indexed = attributes.filter(({ isIndexed }) => isIndexed === true);
    const indexes = indexed.map((one) => ({ index: `by_${one.name}`, attribute: one.name }));
    return indexes.length === 0 ? [] : [{ [name]: indexes }];
  });
  return refusal(world, graph) ?? json({ error: false, message: '', results });
};

/** `GET /gsql/v1/schema/jobs?json=true[&graph=…]`: the schema change jobs of a graph; none for all graphs. */
export const schemaJobs: Endpoint = ({ world, query }) => {
  const graph = query.get('graph');
  if (graph === null) return json({ error: false, message: '', results: [] });
  const results = simulatedSchema(world.isSchemaChanged, world.settings.extraTypes).jobs.map((job) => ({
    [job]: `CREATE SCHEMA_CHANGE JOB ${job} FOR GRAPH ${graph} { }`,
  }));
  return refusal(world, graph) ?? json({ error: false, message: '', results });
};

function refusal(world: World, graph: string): Reply | undefined {
  return world.graphs.includes(graph) ? undefined : gsqlError(404, `Graph '${graph}' does not exist.`);
}

function vertexTypeRecord({ name, attributes }: SimulatedVertexType) {
  const id = { AttributeName: 'id', AttributeType: { Name: 'STRING' } };
  const config = { STATS: 'OUTDEGREE_BY_EDGETYPE' };
  return { Name: name, Config: config, Attributes: attributes.map(attributeRecord), PrimaryId: id };
}

function edgeTypeRecord({ name, from, to, isDirected, attributes }: SimulatedEdgeType) {
  return {
    Name: name,
    IsDirected: isDirected,
    FromVertexTypeName: from,
    ToVertexTypeName: to,
    Config: {},
    Attributes: attributes.map(attributeRecord),
  };
}

function attributeRecord({ name, type, isIndexed }: SimulatedAttribute) {
  return { AttributeName: name, AttributeType: { Name: type }, ...(isIndexed === true && { HasIndex: true }) };
}
