package dev.bluebell.uverbs;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.zip.CRC32C;

/** The library that is preloaded into clients. */
public final class Shim {
  private static final String RESOURCE = "libbluebell.so";

  private Shim() {}

  /** False when this build has no library, because there was no C compiler. */
  public static boolean isBuilt() {
    return Shim.class.getResource(RESOURCE) != null;
  }

  /**
   * Extracts the library into a folder, unless it is there already.
   *
   * @return its path; empty when this build has none because there was no C compiler
   */
  public static Optional<Path> extract(Path folder) throws IOException {
    try (InputStream resource = Shim.class.getResourceAsStream(RESOURCE)) {
      if (resource == null) {
        return Optional.empty();
      }
      byte[] bytes = resource.readAllBytes();
      CRC32C sum = new CRC32C();
      sum.update(bytes);
      Path library = folder.resolve("libbluebell-%08x.so".formatted(sum.getValue()));
      if (!Files.exists(library)) {
        Path fresh = Files.createTempFile(folder, "libbluebell", ".so");
        Files.write(fresh, bytes);
        Files.move(fresh, library, StandardCopyOption.ATOMIC_MOVE);
      }
      return Optional.of(library);
    }
  }
}
