package dev.bluebell.program.offload;

import dev.bluebell.program.Data;
import dev.bluebell.program.Input;
import dev.bluebell.program.Kind;
import dev.bluebell.program.Literal;
import dev.bluebell.program.Program;
import dev.bluebell.program.ProgramBuilder;
import java.util.List;
import java.util.Map;

/**
 * Reads the value that a directory entry points to: the client sends the number of the entry, and
 * receives the value. The host fills the directory before it compiles the program; the client needs
 * no addresses.
 */
public final class IndirectRead {
  private final ProgramBuilder builder = new ProgramBuilder("indirect-read");
  private final Data directory;
  private final Data values;
  private final Input<Kind.Number> offset = builder.number("offset", Long.BYTES);
  private final int valueBytes;
  private final Program program;

  /**
   * Creates a directory and its program.
   *
   * @param entries number of entries, each with a value
   * @param valueBytes length of values
   */
  public IndirectRead(int entries, int valueBytes) {
    this.valueBytes = valueBytes;
    directory = builder.data("directory", Long.BYTES * entries);
    values = builder.data("values", valueBytes * entries);
    for (int entry = 0; entry < entries; entry++) {
      directory.put(Long.BYTES * entry, values.pointer(valueBytes * entry));
    }
    builder.respond(values, builder.loadIndexed(directory, offset).pointer(0), valueBytes);
    program = builder.build();
  }

  public Program program() {
    return program;
  }

  /** Sets the value that an entry points to. */
  public void put(int entry, byte[] value) {
    Entries.checkValue(value, valueBytes);
    values.put(valueBytes * entry, value);
  }

  /** The client's inputs for an entry. */
  public Map<Input<?>, byte[]> call(int entry) {
    return Map.of(offset, Literal.number((long) Long.BYTES * entry).content());
  }

  /** Work of a processor for a call: it reads the entry, and the value that it points to. */
  public List<byte[]> answer(Map<Input<?>, byte[]> inputs, Tables tables) {
    long entry = tables.address(directory) + Tables.number(inputs.get(offset), 0);
    long value = Tables.pointer(tables.read(entry, Long.BYTES), 0);
    return List.of(tables.read(value, valueBytes));
  }
}
