package dev.bluebell.devx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaIdentity;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pages of a card's memory, where an ordinary file stands in for the device file. */
class CardPagesTest {
  private static final int PAGE = UverbsFile.PAGE_BYTES;
  private static final ValueLayout.OfLong NUMBER = ValueLayout.JAVA_LONG;

  @TempDir private Path folder;
  private UverbsFile file;
  private MemorySegment window;
  private CardPages pages;

  @BeforeEach
  void open() throws IOException {
    Path node = folder.resolve("uverbs0");
    try (RandomAccessFile card = new RandomAccessFile(node.toFile(), "rw")) {
      card.setLength(16 << 20);
    }
    file = UverbsFile.open(new UverbsDevice("mlx5_0", node, folder, HcaIdentity.SOFTWARE));
    window = file.allocate(8 * PAGE);
    pages = new CardPages(file);
  }

  @AfterEach
  void close() {
    file.close();
  }

  @Test
  void pagesThatWereUnmappedAreOrdinaryMemoryWhateverBecomesOfTheFile() {
    pages.map(window, 2, 3);
    window.set(NUMBER, 2 * PAGE, 1);
    pages.unmap(2, 3);
    assertThat(window.get(NUMBER, 2 * PAGE)).isZero();
    window.set(NUMBER, 2 * PAGE, 2);
    file.close();
    assertThat(window.get(NUMBER, 2 * PAGE)).isEqualTo(2);
  }

  @Test
  void aPageStaysMappedWhileAPieceOfMemoryIsInIt() {
    pages.map(window, 2, 2);
    pages.map(window, 3, 2);
    window.set(NUMBER, 3 * PAGE, 3);
    pages.unmap(2, 2);
    assertThat(window.get(NUMBER, 3 * PAGE)).isEqualTo(3);
    pages.unmap(3, 2);
    assertThat(window.get(NUMBER, 3 * PAGE)).isZero();
  }
}
