"""All that touches a generated site: its workspace, its server, its browser and the marks on its pages."""
