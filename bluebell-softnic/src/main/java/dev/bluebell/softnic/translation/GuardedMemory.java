package dev.bluebell.softnic.translation;

import dev.bluebell.hca.HcaForeignMemory;
import dev.bluebell.softnic.engine.Client;
import dev.bluebell.softnic.engine.ForeignCopies;

/**
 * Memory of another process, access to which may block: the device then suspends the turn and
 * continues with others. A turn that resumes may need memory for whose page another turn waits;
 * then it waits for the end of that copy as for a page. Owned by the thread that runs the engine.
 *
 * @param client the client whose memory it is
 */
public record GuardedMemory(HcaForeignMemory memory, Client client, ForeignCopies copies)
    implements HcaForeignMemory {

  @Override
  public boolean read(long address, long to, int bytes) {
    long copy = copies.begin(client);
    try {
      return memory.read(address, to, bytes);
    } finally {
      copies.end(copy);
    }
  }

  @Override
  public boolean write(long address, long from, int bytes) {
    long copy = copies.begin(client);
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
    try {
      memory.begin();
    } finally {
      copies.end(copy);
    }
  }

  @Override
  public boolean readPiece(long address, long to, int bytes) {
    long copy = copies.begin(client);
    try {
      return memory.readPiece(address, to, bytes);
    } finally {
      copies.end(copy);
    }
  }

  @Override
  public boolean writePiece(long address, long from, int bytes) {
    long copy = copies.begin(client);
    try {
      return memory.writePiece(address, from, bytes);
    } finally {
      copies.end(copy);
    }
  }

  @Override
  public boolean finish() {
    long copy = copies.begin(client);
    try {
      return memory.finish();
    } finally {
      copies.end(copy);
    }
  }
}
