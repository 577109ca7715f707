package dev.bluebell.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * Marks a test in which the responder refuses a request and the requester must get the reason. The
 * NAK is sent only once: afterwards, the responder is in the error state and does not answer. A
 * lossy fabric may lose it, and the requester then correctly ends with RETRY_EXCEEDED; so bindings
 * to such a fabric exclude the tag {@value #TAG}.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Tag(ExpectsRefusal.TAG)
public @interface ExpectsRefusal {
  String TAG = "refusal";
}
