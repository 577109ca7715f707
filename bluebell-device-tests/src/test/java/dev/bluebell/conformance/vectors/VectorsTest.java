package dev.bluebell.conformance.vectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The driver writes and reads the same as libmlx5. {@code -Dbluebell.vectors=FOLDER} selects the
 * files of a folder; the default are the test resources. Prints a line for each file.
 */
class VectorsTest {
  private static final Path VECTORS = Path.of("../bluebell-verbs/src/test/resources/vectors");
  private static final Path MORE = Path.of("../bluebell-hca/src/test/resources/vectors");

  /**
   * The files of {@link #MORE} that are compared; the groups of its other files are in {@link
   * #VECTORS}, too.
   */
  private static final List<String> COMMON =
      List.of(
          "prm_commands",
          "mw_bind_inv",
          "cq_arm",
          "cqe_tag_matching",
          "doorbell",
          "masked_atomics",
          "rc_core",
          "rc_inline",
          "rq_recv",
          "tm_srq_ops",
          "wait_enable");

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final int FLIPS = 200;

  @TempDir private Path directory;

  private static Path file(String group) {
    return (COMMON.contains(group) ? MORE : VECTORS).resolve(group + ".json");
  }

  static Stream<VectorFile> files() {
    String folder = System.getProperty("bluebell.vectors");
    return folder == null ? resources() : VectorFile.read(Path.of(folder)).stream();
  }

  private static Stream<VectorFile> resources() {
    return Stream.concat(Stream.of(VECTORS), COMMON.stream().map(VectorsTest::file))
        .flatMap(path -> VectorFile.read(path).stream());
  }

  @ParameterizedTest
  @MethodSource("files")
  void theDriverWritesAndReadsWhatLibmlx5Did(VectorFile file) {
    FileResult result = FileResult.of(file);
    System.out.println(result);
    assertThat(result.complaints()).as("%s", result).isEmpty();
  }

  @Test
  void allFilesOfTheTestResourcesAreCompared() {
    List<VectorFile> files = resources().toList();
    assertThat(files).hasSize(26);
    assertThat(files.stream().mapToInt(file -> file.vectors().size()).sum()).isEqualTo(2162);
  }

  @Test
  void aFolderStandsForItsVectorsAndNothingElseInIt() throws IOException {
    Files.copy(file("uc"), directory.resolve("b.json"));
    Files.copy(file("doorbell"), directory.resolve("a.json"));
    Files.writeString(directory.resolve("fields.json"), "{\"structures\": []}");
    Files.writeString(directory.resolve("README.md"), "# Vectors");
    assertThat(VectorFile.read(directory))
        .map(file -> FileResult.of(file).toString())
        .containsExactly(
            "doorbell                 11 equal, 0 differ, 0 unsupported",
            "uc                       56 equal, 0 differ, 0 unsupported");
  }

  @Test
  void aFolderWithoutVectorsIsRefused() {
    assertThatThrownBy(() -> VectorFile.read(directory))
        .hasMessageContaining(directory + " holds no golden vectors");
  }

  @Test
  void aMissingFileIsRefused() {
    assertThatThrownBy(() -> VectorFile.read(Path.of("/nowhere/rc.json")))
        .hasMessage("/nowhere/rc.json can't be read: name a file that exists");
  }

  @Test
  void aVectorThatTheDriverCannotBuildIsUnsupported() throws IOException {
    JsonNode root = MAPPER.readTree(file("umr").toFile());
    ((ObjectNode) root.at("/vectors/0/requests/0")).put("call", "mlx5dv_wr_of_tomorrow");
    assertThat(first(root).unsupported()).contains("call mlx5dv_wr_of_tomorrow");
  }

  @Test
  void aFlippedBitInARecordedCommandIsADifference() throws IOException {
    JsonNode root = MAPPER.readTree(file("prm_commands").toFile());
    ObjectNode first = (ObjectNode) root.get("vectors").get(0);
    byte[] input = HexFormat.of().parseHex(first.get("in").asText());
    input[9] ^= 1;
    first.put("in", HexFormat.of().formatHex(input));
    assertThat(first(root).differences().toString()).contains("byte 9");
  }

  private static VectorResult first(JsonNode root) {
    return VectorResult.of(VectorCheck.of(root.get("group").asText()), root.get("vectors").get(0));
  }

  /** A byte that libmlx5 wrote and the mask selects. */
  private record Place(int vector, ObjectNode holder, String member, int index) {

    void flip(int bits) {
      byte[] bytes = HexFormat.of().parseHex(holder.get(member).asText());
      bytes[index] ^= (byte) bits;
      holder.put(member, HexFormat.of().formatHex(bytes));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rc_core",
        "rc_inline",
        "doorbell",
        "uc",
        "ud_eth",
        "ud_ib",
        "xrc_dc",
        "xrc_dc_ib",
        "rq_recv",
        "rq_recv_signature",
        "tm_srq_ops"
      })
  void oneFlippedBitIsADifference(String group) throws IOException {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    JsonNode root = MAPPER.readTree(file(group).toFile());
    List<Place> places = places(root);
    assertThat(places).isNotEmpty();
    for (int i = 0; i < FLIPS; i++) {
      Place place = places.get(random.nextInt(places.size()));
      int bit = 1 << random.nextInt(Byte.SIZE);
      place.flip(bit);
      VectorResult result =
          VectorResult.of(VectorCheck.of(group), root.get("vectors").get(place.vector()));
      place.flip(bit);
      assertThat(result.differences()).as("seed %d, %s", seed, place).isNotEmpty();
    }
  }

  private static List<Place> places(JsonNode root) {
    List<Place> places = new ArrayList<>();
    for (int i = 0; i < root.get("vectors").size(); i++) {
      for (JsonNode holder : root.get("vectors").get(i).findParents("mask")) {
        byte[] mask = HexFormat.of().parseHex(holder.get("mask").asText());
        for (int at = 0; at < mask.length; at++) {
          if (mask[at] == (byte) 0xff) {
            places.add(new Place(i, (ObjectNode) holder, "bytes", at));
          }
        }
      }
    }
    return places;
  }

  @ParameterizedTest
  @CsvSource({
    "doorbell, /dbrec/snd, 77",
    "rq_recv, /dbrec_rcv, 77",
    "srq_recv, /dbrec, 77",
    "tm_srq_ops, /dbrec_snd, 77",
    "tm_srq_ops, /handle, 3",
    "cqe_tag_matching, /wr_id, 0x6101",
    "cqe_tag_matching, /wc_flags, 64",
    "cqe_tag_matching, /status, 21",
    "srq_recv, /wqes_before/3, 0000000500000000000000000000000000000000000000000000000000000000",
    "srq_recv, /wqes_after/3, 0000000500000000000000000000000000000000000000000000000000000000",
    "rc_inline, /ret, 12",
    "cqe_success, /dbrec_set_ci, 3",
    "cqe_success, /wc/0/wr_id, 0x5e000001",
    "cqe_errors, /wc/0/vendor_err, 0x01",
    "cqe_errors, /wc/0/status_num, 4",
    "cqe_inline_scatter, /wc/0/byte_len, 9",
    "cqe_inline_scatter, /recv_buffers/0/bytes,"
        + " 00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
    "masked_atomics, /requests/0/value, 0x11121315",
    "cq_arm, /dbrec_arm, 0x00000009",
    "cq_arm, /uar_bytes, 0000000000000405"
  })
  void anotherRecordedValueFails(String group, String pointer, String value) throws IOException {
    JsonNode root = MAPPER.readTree(file(group).toFile());
    int slash = pointer.lastIndexOf('/');
    JsonNode parent = root.get("vectors").get(0).at(pointer.substring(0, slash));
    String member = pointer.substring(slash + 1);
    if (parent instanceof ArrayNode array) {
      array.set(Integer.parseInt(member), value);
    } else {
      replace((ObjectNode) parent, member, value);
    }
    assertThat(first(root).differences()).isNotEmpty();
  }

  private static void replace(ObjectNode holder, String member, String value) {
    if (value.matches("\\d{1,3}")) {
      holder.put(member, Integer.parseInt(value));
    } else {
      holder.put(member, value);
    }
  }

  @Test
  void aDifferenceNamesThePlace() throws IOException {
    JsonNode root = MAPPER.readTree(file("doorbell").toFile());
    ObjectNode wqebb = (ObjectNode) root.at("/vectors/0/wqebbs/0");
    byte[] bytes = HexFormat.of().parseHex(wqebb.get("bytes").asText());
    bytes[3] ^= 1;
    wqebb.put("bytes", HexFormat.of().formatHex(bytes));
    assertThat(first(root).differences().getFirst())
        .matches("ARRAY: WQEBB \\d+: byte 3 is \\p{XDigit}{2}, recorded \\p{XDigit}{2}");
  }

  /** The builder can't copy the expected bytes. */
  @Test
  void withoutRecordedBytesTheRequestsAreBuiltAllTheSame() throws IOException {
    JsonNode root = MAPPER.readTree(file("rc_core").toFile());
    ObjectNode vector = (ObjectNode) root.get("vectors").get(0);
    SendBuilder builder =
        new SendBuilder(
            vector.get("qp"),
            0x0a1b01,
            vector.get("start_index").asInt(),
            SendBuilder.InlineSource.ARRAY,
            false);
    JsonNode requests = vector.get("requests").deepCopy();
    vector.remove(List.of("wqebbs", "dbrec", "uar", "ret"));
    assertThat(builder.post(SendSpec.of(requests.get(0)))).isEmpty();
    builder.ring();
    assertThat(builder.isWritten(0)).isTrue();
    assertThat(builder.doorbells()).hasSize(1);
  }
}
