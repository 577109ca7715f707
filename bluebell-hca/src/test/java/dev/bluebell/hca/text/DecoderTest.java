package dev.bluebell.hca.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.bluebell.hca.Vectors;
import dev.bluebell.hca.text.Decoder.Kind;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DecoderTest {

  @Test
  void inputsOfRealApplicationsAreRecognized() {
    Vectors.each(
        "prm_commands",
        vector -> assertThat(Decoder.guess(Vectors.bytes(vector.get("in")))).hasValue(Kind.INPUT));
  }

  @Test
  void outputsOfRealApplicationsAreRecognized() {
    Vectors.each(
        "prm_commands",
        vector -> {
          byte[] out = Vectors.bytes(vector.get("out"));
          byte[] whole = Arrays.copyOf(out, vector.get("out_len").asInt());
          assertThat(Decoder.guess(whole)).hasValue(Kind.OUTPUT);
        });
  }

  @Test
  void entriesOfASharedQueueAreRecognized() {
    byte[] linked =
        ReceiveWqeText.assemble(
            "recv {\n next next_wqe_index=3\n data byte_count=1 lkey=5 address=9\n end\n}");
    assertThat(Decoder.guess(linked)).hasValue(Kind.SHARED_RECEIVE);
    assertThat(Decoder.decode(linked)).contains("next next_wqe_index=3");
    byte[] signed =
        ReceiveWqeText.assemble(
            "recv {\n sig signature=0xec\n data byte_count=1 lkey=5 address=9\n end\n}");
    assertThat(Decoder.guess(signed)).hasValue(Kind.SIGNED_RECEIVE);
    assertThat(Decoder.decode(signed)).contains("sig signature=0xec");
  }

  @Test
  void failuresOfCommandsAreOutputs() {
    assertThat(Decoder.guess(Hex.parse("03000000 000a1b2c 00000000 00000000")))
        .hasValue(Kind.OUTPUT);
  }

  @Test
  void bytesOfNoKnownFormatAreNotGuessed() {
    assertThat(Decoder.guess(new byte[0])).isEmpty();
    assertThat(Decoder.guess(new byte[15])).isEmpty();
    assertThat(Decoder.guess(Hex.parse("ff".repeat(20)))).isEmpty();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Decoder.decode(new byte[3]))
        .withMessage("no known format matches these bytes (length 3); specify their kind");
  }

  @ParameterizedTest
  @EnumSource
  void aStatedKindOverridesTheGuess(Kind kind) {
    byte[] bytes = new byte[64];
    new Random(1).nextBytes(bytes);
    String first = Decoder.decode(kind, bytes).lines().findFirst().orElseThrow();
    String expected =
        switch (kind) {
          case WQE -> "wqe {";
          case RECEIVE, SIGNED_RECEIVE, SHARED_RECEIVE -> "recv {";
          case CQE -> "cqe {";
          case MINI_CQES, MINI_CQE_BLOCK -> "mini_cqes {";
          case INPUT -> "input ";
          case OUTPUT -> "output ";
        };
    assertThat(first).startsWith(expected);
    assertThat(Decoder.encode(Decoder.decode(kind, bytes))).isEqualTo(bytes);
  }

  @Test
  void guessingNeverFails() {
    for (int seed = 0; seed < 2000; seed++) {
      Random random = new Random(seed);
      byte[] bytes = new byte[random.nextInt(150)];
      random.nextBytes(bytes);
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = random.nextInt(3) == 0 ? bytes[i] : 0;
      }
      Decoder.guess(bytes)
          .ifPresent(
              kind -> assertThat(Decoder.encode(Decoder.decode(kind, bytes))).isEqualTo(bytes));
    }
  }
}
