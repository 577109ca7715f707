package dev.bluebell.softnic.command;

/** An XRC domain: its number, and how many objects belong to it. */
final class XrcDomain {
  private final int number;
  private int users;

  XrcDomain(int number) {
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
    return "XRCD 0x%x: %d users".formatted(number, users);
  }
}
