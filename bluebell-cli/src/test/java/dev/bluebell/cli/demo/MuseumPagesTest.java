package dev.bluebell.cli.demo;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/**
 * The pages of docs/museum match the output of the exhibits. With {@code
 * -Dbluebell.failures.write=true}, the test writes them.
 */
class MuseumPagesTest {
  @Test
  void thePagesAreThoseOfTheCode() throws IOException, InterruptedException {
    PageFolder.check("museum", MuseumPages.all());
  }
}
