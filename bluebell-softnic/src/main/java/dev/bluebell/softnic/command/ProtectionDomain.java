package dev.bluebell.softnic.command;

/** A protection domain: a number, and how many objects belong to it. */
final class ProtectionDomain {
  private final int number;
  private int users;

  ProtectionDomain(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }

  int users() {
    return users;
  }

  void use(int delta) {
    users += delta;
  }

  @Override
  public String toString() {
    return "PD 0x%x: %d users".formatted(number, users);
  }
}
