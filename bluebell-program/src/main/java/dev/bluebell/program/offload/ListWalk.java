package dev.bluebell.program.offload;

import dev.bluebell.program.Condition;
import dev.bluebell.program.Data;
import dev.bluebell.program.Field;
import dev.bluebell.program.Input;
import dev.bluebell.program.Kind;
import dev.bluebell.program.Loaded;
import dev.bluebell.program.Operand;
import dev.bluebell.program.Program;
import dev.bluebell.program.ProgramBuilder;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Looks a key up in a linked list: follows it node by node, for a fixed number of steps, and
 * answers with the value of the node that has the key. If no visited node has it, there is no
 * answer.
 *
 * <p>A node is 24 bytes: the key, zeros up to 8 bytes, the address of the value, the address of the
 * next node. Behind the last node is one with key 0, whose next node is itself.
 */
public final class ListWalk {
  private static final int NODE_BYTES = 24;
  private static final int VALUE_OFFSET = 8;
  private static final int NEXT_OFFSET = 16;

  private final ProgramBuilder builder = new ProgramBuilder("list-walk");
  private final Data nodes;
  private final Data values;
  private final Input<Kind.Bytes> key;
  private final Input<Kind.Pointer> head;
  private final int valueBytes;
  private final int steps;
  private final Program program;
  private Operand<Kind.Pointer> next;
  private int used;

  /**
   * Creates a list and its program.
   *
   * @param keyBytes length of keys, 1 … 8
   * @param valueBytes length of values
   * @param steps number of nodes that a call visits, and that the list has room for
   */
  public ListWalk(int keyBytes, int valueBytes, int steps) {
    this(keyBytes, valueBytes, steps, false);
  }

  /**
   * Creates a list and its program.
   *
   * @param keyBytes length of keys, 1 … 8
   * @param valueBytes length of values
   * @param steps number of nodes that a call visits, and that the list has room for
   * @param breaks true when a call stops at the key instead of visiting all nodes
   */
  public ListWalk(int keyBytes, int valueBytes, int steps, boolean breaks) {
    this.valueBytes = valueBytes;
    this.steps = steps;
    nodes = builder.data("nodes", NODE_BYTES * (steps + 1));
    values = builder.data("values", valueBytes * (steps + 1));
    key = builder.bytes("key", keyBytes);
    head = builder.pointer("head");
    for (int i = 0; i <= steps; i++) {
      end(i);
    }
    next = head;
    builder.repeat(steps, step -> step(step == steps - 1, breaks));
    program = builder.build();
  }

  private void step(boolean last, boolean breaks) {
    Loaded node = builder.load(nodes, next);
    Field<Kind.Bytes> found = node.bytes(0, key.bytes());
    Field<Kind.Pointer> value = node.pointer(VALUE_OFFSET);
    builder.when(
        Condition.equal(found, key),
        () -> {
          builder.respond(values, value, valueBytes);
          if (breaks) {
            builder.leave();
          }
        });
    if (!last) {
      next = node.pointer(NEXT_OFFSET);
    }
  }

  /** Makes a node the end of the list. */
  private void end(int node) {
    int at = node * NODE_BYTES;
    nodes.put(at + VALUE_OFFSET, values.pointer(0)).put(at + NEXT_OFFSET, nodes.pointer(at));
  }

  public Program program() {
    return program;
  }

  /**
   * Appends a node.
   *
   * @throws IllegalArgumentException when the key or the value has the wrong length, or the key is
   *     0, which stands for the end
   * @throws IllegalStateException when the list has no room
   */
  public void add(byte[] newKey, byte[] value) {
    Entries.checkKey(newKey, key.bytes(), "the end");
    Entries.checkValue(value, valueBytes);
    int at = used * NODE_BYTES;
    if (at + 2 * NODE_BYTES > nodes.bytes()) {
      throw new IllegalStateException("the list has room for %d nodes".formatted(used));
    }
    values.put(used * valueBytes, value);
    nodes
        .put(at, newKey)
        .put(at + VALUE_OFFSET, values.pointer(used * valueBytes))
        .put(at + NEXT_OFFSET, nodes.pointer(at + NODE_BYTES));
    used++;
  }

  /**
   * The client's inputs for a key.
   *
   * @param addresses addresses of the program's data
   * @throws IllegalArgumentException when the key has the wrong length, or is 0, which stands for
   *     the end
   */
  public Map<Input<?>, byte[]> call(byte[] wanted, Map<Data, Long> addresses) {
    Entries.checkKey(wanted, key.bytes(), "the end");
    long first = addresses.getOrDefault(nodes, 0L);
    return Map.of(key, wanted, head, ByteBuffer.allocate(Long.BYTES).putLong(first).array());
  }

  /** Work of a processor for a call: it reads nodes until one has the key or is the end. */
  public List<byte[]> answer(Map<Input<?>, byte[]> inputs, Tables tables) {
    byte[] wanted = Objects.requireNonNull(inputs.get(key));
    byte[] end = new byte[wanted.length];
    long address = Tables.pointer(inputs.get(head), 0);
    for (int step = 0; step < steps; step++) {
      byte[] node = tables.read(address, NODE_BYTES);
      byte[] found = Arrays.copyOf(node, wanted.length);
      if (Arrays.equals(found, wanted)) {
        return List.of(tables.read(Tables.pointer(node, VALUE_OFFSET), valueBytes));
      }
      if (Arrays.equals(found, end)) {
        return List.of();
      }
      address = Tables.pointer(node, NEXT_OFFSET);
    }
    return List.of();
  }
}
