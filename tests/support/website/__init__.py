"""The site: pages that are generated when it is built, and the hooks of mkdocs that add them."""
