package dev.bluebell.cli.demo;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/**
 * The pages of docs/museum are those that the exhibits make. With {@code
 * -Dbluebell.failures.write=true} it writes them.
 */
class MuseumPagesTest {
  @Test
  void thePagesAreThoseOfTheCode() throws IOException, InterruptedException {
    PageFolder.check("museum", MuseumPages.all());
  }
}
