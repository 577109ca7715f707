package dev.bluebell.softnic.command;

import dev.bluebell.softnic.engine.Client;

/** A protection domain, and the client that owns it. */
final class ProtectionDomain extends Domain {
  private final Client owner;

  ProtectionDomain(int number, Client owner) {
    super("PD", number);
    this.owner = owner;
  }

  Client owner() {
    return owner;
  }
}
