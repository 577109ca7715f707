package dev.bluebell.conformance;

import java.util.Optional;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** Skips tests if the device lacks a capability in their {@link Needs}. */
final class NeedsCondition implements ExecutionCondition {
  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    return AnnotationSupport.findAnnotation(context.getElement(), Needs.class)
        .flatMap(needs -> missing(context, needs.value()))
        .map(ConditionEvaluationResult::disabled)
        .orElse(ConditionEvaluationResult.enabled("the device has it"));
  }

  private static Optional<String> missing(ExtensionContext context, String... names) {
    return BenchExtension.capabilities(context).missing(names);
  }
}
