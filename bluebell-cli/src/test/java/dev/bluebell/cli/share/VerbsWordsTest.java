package dev.bluebell.cli.share;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The names in libibverbs of the fields in explanations, for programs in C. */
class VerbsWordsTest {
  private final VerbsWords words = new VerbsWords();

  @Test
  void eachFieldIsNamedOnce() {
    assertThat(words.of("rkey 0x1202 has the tag 0x02: the rkey is from an earlier registration"))
        .isEqualTo("rkey is wr.rdma.rkey (wr.atomic.rkey of an atomic)");
    assertThat(words.of("rkey 0x1203 has the tag 0x03")).isEmpty();
    assertThat(words.of("byte_count 65 reaches outside the region of lkey 0x1001"))
        .isEqualTo("lkey is sg_list[].lkey; byte_count is sg_list[].length");
  }

  @Test
  void theEntryOfTheGidTableHasItsName() {
    assertThat(words.of("entry 0 of the GID table (src_addr_index) is not on the network"))
        .isEqualTo("src_addr_index is ah_attr.grh.sgid_index");
  }

  @Test
  void partsOfOtherWordsAndFieldsOfVerbsAreNoFields() {
    assertThat(words.of("mkey, new_umr_mkey and rkeys; write wr.rdma.rkey and byte_counts"))
        .isEmpty();
  }

  @Test
  void theKeysOfABindHaveTheirNames() {
    assertThat(words.of("umr_mkey must be the current key, and qpn_mkey has the new tag"))
        .isEqualTo(
            "umr_mkey is bind_mw.mw->rkey, to which the application assigns bind_mw.rkey after each"
                + " bind; qpn_mkey is the queue pair's number and the lowest byte of bind_mw.rkey");
  }

  @Test
  void thePageForProgramsInCListsAllFields() throws IOException {
    String page =
        Files.readString(Path.of(System.getProperty("basedir", ""), "../docs/c-programs.md"));
    assertThat(VerbsWords.FIELDS)
        .allSatisfy((word, field) -> assertThat(page).contains("| `%s` | ".formatted(word)));
  }
}
