package dev.bluebell.softnic.rig;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Memory of a mapped file, which is gone once the file is truncated. */
public final class MappedFile implements AutoCloseable {
  private final Arena arena = Arena.ofShared();
  private final FileChannel file;
  private final MemorySegment memory;

  public MappedFile(Path directory, long bytes) throws IOException {
    file =
        FileChannel.open(
            directory.resolve("memory"),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
    memory = file.map(FileChannel.MapMode.READ_WRITE, 0, bytes, arena);
  }

  public MemorySegment memory() {
    return memory;
  }

  /** Makes the memory vanish. */
  public void truncate() throws IOException {
    file.truncate(0);
  }

  @Override
  public void close() throws IOException {
    arena.close();
    file.close();
  }
}
