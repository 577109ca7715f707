package dev.bluebell.softnic.command;

import dev.bluebell.softnic.engine.Client;

/** A protection domain: its number, its owner, and how many objects belong to it. */
final class ProtectionDomain {
  private final int number;
  private final Client owner;
  private int users;

  ProtectionDomain(int number, Client owner) {
    this.number = number;
    this.owner = owner;
  }

  Client owner() {
    return owner;
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
