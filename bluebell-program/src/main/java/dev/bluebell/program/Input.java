package dev.bluebell.program;

/** An argument that a client sends with a call. */
public final class Input<K extends Kind> implements Operand<K> {
  private final String name;
  private final int bytes;

  Input(String name, int bytes) {
    this.name = name;
    this.bytes = bytes;
  }

  /** Name, unique among the inputs of its program. */
  public String name() {
    return name;
  }

  @Override
  public int bytes() {
    return bytes;
  }

  @Override
  public String toString() {
    return name;
  }
}
