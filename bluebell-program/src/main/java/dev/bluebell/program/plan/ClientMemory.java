package dev.bluebell.program.plan;

import dev.bluebell.program.Buffer;

/**
 * Memory of the client, whose address and key the client sends.
 *
 * @param buffer the buffer that the program declares
 */
public record ClientMemory(Buffer buffer) implements Block {
  @Override
  public String name() {
    return "client's " + buffer.name();
  }

  @Override
  public int bytes() {
    return buffer.bytes();
  }
}
