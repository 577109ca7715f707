package dev.bluebell.program.offload;

import dev.bluebell.program.Data;
import dev.bluebell.program.Input;
import dev.bluebell.program.Kind;
import dev.bluebell.program.Literal;
import dev.bluebell.program.Operand;
import dev.bluebell.program.Program;
import dev.bluebell.program.ProgramBuilder;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes a value to the tables of several replicas, one after the other. Each replica has a program
 * that stores the value, reads it back from memory and sends it to the next replica; the last one
 * answers the client. The answer therefore proves that all replicas have the value. The client
 * knows the addresses of the tables, and sends one for each.
 */
public final class ChainWrite {
  /** Length of the client's number, which the answer returns. */
  public static final int TAG_BYTES = Long.BYTES;

  private final List<Link> links = new ArrayList<>();
  private final int valueBytes;

  /** The program of one replica. */
  public final class Link {
    private final Input<Kind.Bytes> value;
    private final List<Input<Kind.Pointer>> places = new ArrayList<>();
    private final Input<Kind.Number> tag;
    private final Data table;
    private final Program program;

    private Link(int replicas, int slots) {
      ProgramBuilder builder = new ProgramBuilder(replicas == 1 ? "chain-end" : "chain-write");
      value = builder.bytes("value", valueBytes);
      for (int i = 0; i < replicas; i++) {
        places.add(builder.pointer("at" + i));
      }
      tag = builder.number("tag", TAG_BYTES);
      table = builder.data("table", slots * valueBytes);
      builder.store(table, places.getFirst(), value);
      // The message is read from the table, so the value is there.
      builder.respond(table, places.getFirst(), valueBytes, behind());
      program = builder.build();
    }

    /** The rest of the next link's message, which contains each input once per use. */
    private Operand<?>[] behind() {
      List<Operand<?>> behind = new ArrayList<>(places.subList(1, places.size()));
      behind.add(tag);
      if (places.size() > 1) {
        behind.add(places.get(1));
      }
      return behind.toArray(Operand<?>[]::new);
    }

    public Program program() {
      return program;
    }

    public Data table() {
      return table;
    }

    /**
     * Inputs of the replica.
     *
     * @param at addresses of the value at this replica and those after it
     */
    public Map<Input<?>, byte[]> call(byte[] content, List<Long> at, long number) {
      Map<Input<?>, byte[]> inputs = new HashMap<>();
      inputs.put(value, content.clone());
      for (int i = 0; i < places.size(); i++) {
        inputs.put(places.get(i), ByteBuffer.allocate(Long.BYTES).putLong(at.get(i)).array());
      }
      inputs.put(tag, Literal.number(number, TAG_BYTES).content());
      return inputs;
    }

    /** Work of a processor for a call: a write, and a read that proves it complete. */
    public List<byte[]> answer(Map<Input<?>, byte[]> inputs, Tables tables) {
      return List.of(message(stored(inputs, tables), inputs));
    }

    /**
     * The message that it sends, when the value is stored, to the next replica or to the client.
     */
    byte[] message(byte[] content, Map<Input<?>, byte[]> inputs) {
      return message(content, inputs, behind());
    }

    /**
     * As {@link #answer}, for a processor that sends to another: each input once, in the order of
     * the program.
     */
    public List<byte[]> forward(Map<Input<?>, byte[]> inputs, Tables tables) {
      List<Operand<?>> behind = new ArrayList<>(places.subList(1, places.size()));
      behind.add(tag);
      return List.of(message(stored(inputs, tables), inputs, behind.toArray(Operand<?>[]::new)));
    }

    private byte[] stored(Map<Input<?>, byte[]> inputs, Tables tables) {
      long at = Tables.pointer(inputs.get(places.getFirst()), 0);
      tables.write(at, Arrays.copyOf(inputs.getOrDefault(value, new byte[0]), valueBytes));
      return tables.read(at, valueBytes);
    }

    private byte[] message(byte[] content, Map<Input<?>, byte[]> inputs, Operand<?>[] behind) {
      ByteArrayOutputStream message = new ByteArrayOutputStream();
      message.writeBytes(content);
      for (Operand<?> each : behind) {
        message.writeBytes(inputs.getOrDefault(each, new byte[0]));
      }
      return message.toByteArray();
    }
  }

  /**
   * Creates a chain.
   *
   * @param replicas number of replicas, 1 … 4
   * @param slots number of values in a table
   * @param valueBytes length of a value
   */
  public ChainWrite(int replicas, int slots, int valueBytes) {
    this.valueBytes = valueBytes;
    for (int left = replicas; left > 0; left--) {
      links.add(new Link(left, slots));
    }
  }

  /** The replicas' programs, in the order of the chain. */
  public List<Link> links() {
    return List.copyOf(links);
  }

  /** The client's answer when all replicas have the value. */
  public byte[] acknowledgement(byte[] value, long tag) {
    return ByteBuffer.allocate(valueBytes + TAG_BYTES)
        .put(value)
        .put(Literal.number(tag, TAG_BYTES).content())
        .array();
  }
}
