package dev.bluebell.softnic.translation;

import dev.bluebell.hca.HcaForeignMemory;
import dev.bluebell.softnic.engine.Client;
import dev.bluebell.softnic.engine.ForeignCopies;

/**
 * Memory of another process, access to which may block: the device then suspends the turn and
 * continues with others. Owned by the thread that runs the engine.
 *
 * @param client the client whose memory it is
 */
public record GuardedMemory(HcaForeignMemory memory, Client client, ForeignCopies copies)
    implements HcaForeignMemory {

  @Override
  public boolean read(long address, long to, int bytes) {
    long copy = copies.begin(client);
    if (copy == ForeignCopies.REFUSED) {
      return false;
    }
    try {
      return memory.read(address, to, bytes);
    } finally {
      copies.end(copy);
    }
  }

  @Override
  public boolean write(long address, long from, int bytes) {
    long copy = copies.begin(client);
    if (copy == ForeignCopies.REFUSED) {
      return false;
    }
    try {
      return memory.write(address, from, bytes);
    } finally {
      copies.end(copy);
    }
  }

  @Override
  public boolean hasEnded() {
    return memory.hasEnded();
  }

  @Override
  public void begin() {
    long copy = copies.begin(client);
    if (copy != ForeignCopies.REFUSED) {
      memory.begin();
      copies.end(copy);
    }
  }

  @Override
  public boolean readPiece(long address, long to, int bytes) {
    long copy = copies.begin(client);
    if (copy == ForeignCopies.REFUSED) {
      return false;
    }
    try {
      return memory.readPiece(address, to, bytes);
    } finally {
      copies.end(copy);
    }
  }

  @Override
  public boolean writePiece(long address, long from, int bytes) {
    long copy = copies.begin(client);
    if (copy == ForeignCopies.REFUSED) {
      return false;
    }
    try {
      return memory.writePiece(address, from, bytes);
    } finally {
      copies.end(copy);
    }
  }

  @Override
  public boolean finish() {
    long copy = copies.begin(client);
    if (copy == ForeignCopies.REFUSED) {
      return false;
    }
    try {
      return memory.finish();
    } finally {
      copies.end(copy);
    }
  }
}
