package dev.bluebell.softnic.command;

/** A domain: its number, and how many objects belong to it. */
abstract class Domain {
  private final String kind;
  private final int number;
  private int users;

  Domain(String kind, int number) {
    this.kind = kind;
    this.number = number;
  }

  final int number() {
    return number;
  }

  final int users() {
    return users;
  }

  final void use(int delta) {
    users += delta;
  }

  @Override
  public final String toString() {
    return "%s 0x%x: %d users".formatted(kind, number, users);
  }
}
