package dev.bluebell.cli.demo;

/**
 * What there is to say about a mistake, in sentences.
 *
 * @param see how to see that it was made
 * @param cause why it has its effect, with the field, its value and the right one
 * @param cure what to do
 * @param known where the behaviour is known from, and what a card does otherwise
 */
record Story(String see, String cause, String cure, String known) {}
